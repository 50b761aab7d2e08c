package io.tutti.structure;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/** The modules that have main code, each with the modules whose classes it may use. */
enum Module {
    PROTO("io.tutti.proto"),
    GPU("io.tutti.gpu"),
    CONFIG("io.tutti.config", GPU),
    ACTORS("io.tutti.actors", PROTO, GPU, CONFIG),
    LAUNCHER("io.tutti.launcher", PROTO, GPU, CONFIG, ACTORS),
    BENCHMARKS("io.tutti.benchmarks", PROTO, GPU, CONFIG, ACTORS, LAUNCHER),
    TEST_SUPPORT("io.tutti.testsupport");

    private final String rootPackage;
    private final Set<Module> mayUse;

    Module(String rootPackage, Module... mayUse) {
        this.rootPackage = rootPackage;
        this.mayUse = Set.of(mayUse);
    }

    /** This module's packages, in ArchUnit's notation. */
    String packages() {
        return rootPackage + "..";
    }

    /** The packages of all modules that this one must not use, in ArchUnit's notation. */
    String[] forbiddenPackages() {
        EnumSet<Module> forbidden = EnumSet.allOf(Module.class);
        forbidden.remove(this);
        forbidden.removeAll(mayUse);
        return packagesOf(forbidden);
    }

    /** The packages of every module but the given ones, in ArchUnit's notation. */
    static String[] packagesOfAllBut(Module... excepted) {
        EnumSet<Module> rest = EnumSet.allOf(Module.class);
        rest.removeAll(Arrays.asList(excepted));
        return packagesOf(rest);
    }

    /** The packages of the given modules, in ArchUnit's notation. */
    static String[] packagesOf(Set<Module> modules) {
        return modules.stream().map(Module::packages).toArray(String[]::new);
    }
}
