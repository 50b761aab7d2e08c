package io.tutti.launcher.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tutti.config.MissingFile;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.launcher.files.TargetFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Facts of real or emulated machines in a file, so that what a cluster would decide can be examined elsewhere. The format has
 * a version; a file appears under its name whole or not at all.
 */
public final class FactsFile {

    /** Grows when older builds would misread a file. */
    static final int VERSION = 1;

    private static final String VERSION_KEY = "factsVersion";
    private static final ObjectMapper MAPPER = new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private FactsFile() {}

    /**
     * Writes it, replacing what is there.
     *
     * @throws TuttiException with code SYSTEM when the file cannot be written
     */
    public static void save(SavedFacts saved, Path path) {
        ObjectNode file = MAPPER.createObjectNode().put(VERSION_KEY, VERSION).put("topology", saved.topology());
        ArrayNode communicators = file.putArray("communicators");
        for (SavedFacts.Communicator communicator : saved.communicators()) {
            ObjectNode json = communicators
                    .addObject()
                    .put("name", communicator.name())
                    .put("worldSize", communicator.facts().size());
            ArrayNode ranks = json.putArray("ranks");
            communicator.facts().forEach(facts -> ranks.add(FactsJson.write(facts)));
        }
        TargetFile target = TargetFile.of(path);
        try {
            MAPPER.writeValue(target.temporary().toFile(), file);
            target.publish();
        } catch (IOException e) {
            throw new TuttiException(
                    ErrorInfo.of(
                            ErrorCode.SYSTEM,
                            "the facts cannot be written: file=" + path + " cause=" + e.getMessage(),
                            "Check the folder's space and permissions, or name another file with --save-facts."),
                    e);
        } finally {
            target.discard();
        }
    }

    /**
     * Reads one and checks that it is complete and does not contradict itself.
     *
     * @throws TuttiException with code INPUT, naming the place of what is wrong
     */
    public static SavedFacts read(Path path) {
        Place file = parse(path).object();
        int version = file.get(VERSION_KEY).smallCount();
        if (version != VERSION) {
            throw file.get(VERSION_KEY)
                    .refused("is " + version + ", but this build reads version " + VERSION
                            + " only: use the build that saved it");
        }
        List<SavedFacts.Communicator> communicators = new ArrayList<>();
        Map<String, Place> names = new HashMap<>();
        for (Place communicator : file.get("communicators").elements()) {
            Place name = communicator.object().get("name");
            Place before = names.put(name.text(), name);
            if (before != null) {
                throw name.refused("is " + name.text() + " again, as at " + before.path());
            }
            communicators.add(new SavedFacts.Communicator(name.text(), ranks(communicator)));
        }
        if (communicators.isEmpty()) {
            throw file.get("communicators").refused("is empty; expected: at least one communicator");
        }
        return new SavedFacts(file.get("topology").text(), communicators);
    }

    private static Place parse(Path path) {
        Place file = new Place(path.toString(), "", MissingNode.getInstance());
        if (!Files.exists(path)) {
            throw file.refused(MissingFile.why(path));
        }
        if (!Files.isRegularFile(path)) {
            throw file.refused("is no regular file");
        }
        try {
            return new Place(path.toString(), "", MAPPER.readTree(path.toFile()));
        } catch (JsonProcessingException e) {
            throw new Place(path.toString(), place(e), MissingNode.getInstance())
                    .refused("is not JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw file.refused("cannot be read: " + e.getMessage());
        }
    }

    private static String place(JsonProcessingException e) {
        return e.getLocation() == null
                ? ""
                : "line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr();
    }

    private static List<RankFacts> ranks(Place communicator) {
        List<Place> places = communicator.get("ranks").elements();
        List<RankFacts> facts = places.stream().map(FactsJson::read).toList();
        return FactsCheck.inRankOrder(communicator, places, facts);
    }
}
