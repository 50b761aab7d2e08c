package io.tutti.structure;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.NullMarked;

/** Dependencies between modules point one way, and each foreign library stays in the room that is its own. */
@AnalyzeClasses(packages = "io.tutti", importOptions = ImportOption.DoNotIncludeTests.class)
final class ModuleDependenciesTest {
    @ArchTest
    static final ArchRule every_class_belongs_to_a_module =
            classes().should().resideInAnyPackage(Module.packagesOfAllBut());

    @ArchTest
    static final ArchRule packages_do_not_depend_on_each_other_in_a_circle =
            slices().matching("io.tutti.(**)").should().beFreeOfCycles().allowEmptyShould(true);

    @ArchTest
    static final ArchRule devices_settings_and_messages_do_not_know_pekko =
            keptOut("org.apache.pekko..", Module.PROTO, Module.GPU, Module.CONFIG, Module.TEST_SUPPORT);

    @ArchTest
    static final ArchRule native_bindings_stay_inside_gpu =
            onlyIn(Module.GPU, "jcuda..", "com.sun.jna..", "org.newsclub.net..", "jnr..", "java.lang.foreign..");

    @ArchTest
    static final ArchRule the_command_line_library_stays_in_launcher_and_benchmarks =
            keptOut("picocli..", Module.PROTO, Module.GPU, Module.CONFIG, Module.ACTORS, Module.TEST_SUPPORT);

    @ArchTest
    static final ArchRule logging_goes_through_slf4j_below_the_launcher =
            keptOut("ch.qos.logback..", Module.PROTO, Module.GPU, Module.CONFIG, Module.ACTORS, Module.TEST_SUPPORT);

    @ArchTest
    static void each_module_uses_only_the_modules_below_it(JavaClasses tutti) {
        for (Module module : Module.values()) {
            noClasses()
                    .that()
                    .resideInAPackage(module.packages())
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(module.forbiddenPackages())
                    .allowEmptyShould(true)
                    .check(tutti);
        }
    }

    /** NullAway looks only into marked packages, so one without the mark would go unchecked without a word. */
    @ArchTest
    static void every_package_is_null_marked_but_the_generated_ones(JavaClasses tutti) {
        Set<String> unmarked = new TreeSet<>();
        tutti.forEach(type -> {
            JavaPackage home = type.getPackage();
            if (!isGenerated(home.getName()) && !home.isAnnotatedWith(NullMarked.class)) {
                unmarked.add(home.getName());
            }
        });
        assertThat(unmarked).isEmpty();
    }

    /** The wire messages, and what JMH makes of benchmarks. */
    private static boolean isGenerated(String packageName) {
        return packageName.equals("io.tutti.proto") || packageName.endsWith(".jmh_generated");
    }

    private static ArchRule keptOut(String library, Module... modules) {
        return noClasses()
                .that()
                .resideInAnyPackage(Module.packagesOf(Set.of(modules)))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .allowEmptyShould(true);
    }

    private static ArchRule onlyIn(Module owner, String... libraries) {
        return noClasses()
                .that()
                .resideInAnyPackage(Module.packagesOfAllBut(owner))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(libraries)
                .allowEmptyShould(true);
    }
}
