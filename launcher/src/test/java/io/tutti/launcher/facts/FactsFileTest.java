package io.tutti.launcher.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tutti.config.Topologies;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.host.fault.FaultPlan;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.launcher.plan.EmulatedFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Facts come back as they were saved, and whatever is wrong with a file is reported where it stands. */
class FactsFileTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir
    Path folder;

    private Path file = Path.of("");

    @BeforeEach
    void save() {
        file = folder.resolve("facts.json");
        FactsFile.save(new SavedFacts("gb200-nvl72-2x4", List.of(new SavedFacts.Communicator("tp0", facts()))), file);
    }

    private static List<RankFacts> facts() {
        return new EmulatedFacts(Topologies.load("gb200-nvl72-2x4", OptionalLong.empty()), FaultPlan.none())
                .collect(8, 8);
    }

    private String mistake(Consumer<ObjectNode> change) throws IOException {
        ObjectNode json = (ObjectNode) MAPPER.readTree(file.toFile());
        change.accept(json);
        MAPPER.writeValue(file.toFile(), json);
        return mistake();
    }

    private String mistake() {
        TuttiException refused = catchThrowableOfType(TuttiException.class, () -> FactsFile.read(file));
        assertThat(refused.code()).isEqualTo(ErrorCode.INPUT);
        assertThat(refused).hasMessageContaining("facts.json");
        assertThat(refused.info().advice()).contains("--save-facts");
        return refused.info().message();
    }

    private static ArrayNode ranks(ObjectNode json) {
        return (ArrayNode) json.at("/communicators/0/ranks");
    }

    private static ObjectNode rank(ObjectNode json, int at) {
        return (ObjectNode) ranks(json).get(at);
    }

    private static ObjectNode part(ObjectNode json, int rank, String name) {
        return (ObjectNode) rank(json, rank).get(name);
    }

    @Test
    void factsComeBackAsTheyWereSavedInRankOrderAndNothingIsLeftBesideTheFile() throws IOException {
        SavedFacts saved = FactsFile.read(file);
        assertThat(saved.topology()).isEqualTo("gb200-nvl72-2x4");
        assertThat(saved.communicators()).singleElement().satisfies(communicator -> {
            assertThat(communicator.name()).isEqualTo("tp0");
            assertThat(communicator.facts()).extracting(RankFacts::rank).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
            assertThat(communicator.facts().get(5).lasting())
                    .usingRecursiveComparison()
                    .ignoringFields("process")
                    .isEqualTo(facts().get(5).lasting());
        });
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void theOrderInTheFileDoesNotMatter() throws IOException {
        ObjectNode json = (ObjectNode) MAPPER.readTree(file.toFile());
        ArrayNode ranks = ranks(json);
        ranks.add(ranks.remove(0));
        MAPPER.writeValue(file.toFile(), json);
        assertThat(FactsFile.read(file).communicators().get(0).facts())
                .extracting(RankFacts::rank)
                .startsWith(0, 1);
    }

    @Test
    void anotherVersionIsRefusedWithBothVersions() throws IOException {
        assertThat(mistake(json -> json.put("factsVersion", 2)))
                .contains("at=factsVersion")
                .contains("is 2, but this build reads version 1");
    }

    @ParameterizedTest
    @CsvSource({
        "device, uuid, communicators[0].ranks[3].device.uuid is missing",
        "host, id, communicators[0].ranks[3].host.id is missing",
        "process, visibleDevices, communicators[0].ranks[3].process.visibleDevices is missing",
        "sharing, imexChannel, communicators[0].ranks[3].sharing.imexChannel is missing",
        "links, fabric, communicators[0].ranks[3].links.fabric is missing",
        "multicast, granularity, communicators[0].ranks[3].multicast.call is missing"
    })
    void aMissingKeyIsNamedWithItsPlace(String part, String key, String words) throws IOException {
        assertThat(mistake(json -> part(json, 3, part).remove(key))).contains(words);
    }

    @Test
    void aValueOfAnotherKindIsShownWithWhatIsExpected() throws IOException {
        assertThat(mistake(json -> part(json, 1, "device").put("multiprocessors", "many")))
                .contains("ranks[1].device.multiprocessors is \"many\"; expected: a whole number");
        save();
        assertThat(mistake(json -> part(json, 1, "device").put("freeBytes", -1)))
                .contains("ranks[1].device.freeBytes is -1");
        save();
        assertThat(mistake(json -> part(json, 1, "device").put("confidentialComputing", "maybe")))
                .contains("expected: one of unknown, off, on");
        save();
        assertThat(mistake(json -> ((ArrayNode) part(json, 1, "sharing").get("capabilities")).add("telepathy")))
                .contains("ranks[1].sharing.capabilities[5] is \"telepathy\"");
    }

    @Test
    void aRankThatIsMissingOrThereTwiceIsNamed() throws IOException {
        assertThat(mistake(json -> ranks(json).remove(2))).contains("ranks has no rank 2 of 8");
        save();
        assertThat(mistake(json -> rank(json, 6).put("rank", 2)))
                .contains("ranks[6].rank is 2 again, as at communicators[0].ranks[2]");
        save();
        assertThat(mistake(json -> rank(json, 7).put("rank", 8))).contains("ranks[7].rank is 8, but worldSize is 8");
    }

    @Test
    void contradictionsAreNamedWithBothPlaces() throws IOException {
        assertThat(mistake(json -> part(json, 4, "sharing").put("imexChannel", false)))
                .contains("ranks[4].sharing.exportable has fabric, which contradicts");
        save();
        assertThat(mistake(json -> part(json, 4, "process")
                        .put("id", part(json, 3, "process").get("id").textValue())))
                .contains("ranks[4].process.id is also at communicators[0].ranks[3], which is on another host");
        save();
        assertThat(mistake(json -> part(json, 1, "device")
                        .put("uuid", part(json, 0, "device").get("uuid").textValue())))
                .contains("ranks[1].device.uuid is also at communicators[0].ranks[0], with another");
        save();
        assertThat(mistake(json -> {
                    ArrayNode all = (ArrayNode) json.get("communicators");
                    all.add(all.get(0).deepCopy());
                }))
                .contains("communicators[1].name is tp0 again");
    }

    @Test
    void whatIsNoJsonIsNamedByLineAndColumn() throws IOException {
        Files.writeString(file, "{\n  \"factsVersion\": 1,\n  oops\n}");
        assertThat(mistake()).contains("line 3").contains("is not JSON");
        Files.writeString(file, "{\"factsVersion\": 1, \"factsVersion\": 1}");
        assertThat(mistake()).contains("Duplicate field");
        Files.writeString(file, "[]");
        assertThat(mistake()).contains("at=the whole file").contains("expected: an object");
        Files.delete(file);
        assertThat(mistake()).contains("does not exist");
    }
}
