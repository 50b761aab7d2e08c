package io.tutti.launcher.input;

import io.tutti.gpu.DType;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.launcher.safetensors.TensorEntry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Judges whether a file's tensors are exactly the inputs of one operation. */
final class InputFileRules {

    private static final Pattern PARTIAL = Pattern.compile("rank(0|[1-9][0-9]{0,8})\\.partial");
    private static final int MAX_WORLD_SIZE = 72;
    private static final String EXPECTED =
            "An input file holds rank0.partial, rank1.partial, …, residual and gamma, all of one type.";

    private final Path path;
    private final Map<String, TensorEntry> tensors;

    private InputFileRules(Path path, Map<String, TensorEntry> tensors) {
        this.path = path;
        this.tensors = tensors;
    }

    /** What a good file holds. */
    record Content(
            OperationShape shape,
            List<TensorEntry> partials,
            @Nullable TensorEntry residual,
            @Nullable TensorEntry gamma) {

        TensorEntry required(String name) {
            TensorEntry tensor = name.equals("gamma") ? gamma : residual;
            if (tensor == null) {
                throw new IllegalStateException("the file was opened without its norm tensors: tensor=" + name);
            }
            return tensor;
        }
    }

    static Content judge(Path path, Map<String, TensorEntry> tensors, boolean needsNorm) {
        return new InputFileRules(path, tensors).judge(needsNorm);
    }

    private Content judge(boolean needsNorm) {
        List<TensorEntry> partials = partials();
        OperationShape shape = shape(partials.get(0));
        for (TensorEntry partial : partials) {
            requireLike(partials.get(0), partial, partials.get(0).shape());
        }
        TensorEntry residual =
                norm("residual", needsNorm, partials.get(0), partials.get(0).shape());
        TensorEntry gamma = norm("gamma", needsNorm, partials.get(0), List.of((long) shape.hidden()));
        return new Content(shape, partials, residual, gamma);
    }

    private List<TensorEntry> partials() {
        TreeMap<Integer, TensorEntry> byRank = new TreeMap<>();
        for (TensorEntry tensor : tensors.values()) {
            Matcher name = PARTIAL.matcher(tensor.name());
            if (name.matches()) {
                byRank.put(Integer.parseInt(name.group(1)), tensor);
            } else if (!tensor.name().equals("residual") && !tensor.name().equals("gamma")) {
                throw refused("the input file has a tensor that no operation takes", facts(tensor), EXPECTED);
            }
        }
        if (byRank.isEmpty()) {
            throw refused("the input file lacks a tensor", "tensor=rank0.partial", EXPECTED);
        }
        List<TensorEntry> partials = new ArrayList<>();
        byRank.forEach((rank, tensor) -> {
            if (rank != partials.size()) {
                throw refused(
                        "the input file lacks a tensor between others",
                        "tensor=rank" + partials.size() + ".partial next=" + tensor.name(),
                        "Ranks are numbered from 0 without a gap.");
            }
            partials.add(tensor);
        });
        if (partials.size() > MAX_WORLD_SIZE) {
            throw refused(
                    "the input file is for more ranks than a communicator can have",
                    "ranks=" + partials.size() + " largest=" + MAX_WORLD_SIZE,
                    "Give at most " + MAX_WORLD_SIZE + " partials.");
        }
        return partials;
    }

    private OperationShape shape(TensorEntry partial) {
        DType dtype;
        try {
            dtype = DType.parseSafetensors(partial.type().name());
        } catch (IllegalArgumentException e) {
            throw refused("no operation takes this type", facts(partial), "Allowed are BF16, F16 and F32.");
        }
        if (partial.shape().size() != 2 || partial.shape().get(0) < 1) {
            throw refused("a partial must be [tokens, hidden]", facts(partial), "Give at least one token.");
        }
        long hidden = partial.shape().get(1);
        if (hidden < 1 || hidden > OperationShape.MAX_HIDDEN || hidden % OperationShape.HIDDEN_MULTIPLE != 0) {
            throw refused(
                    "hidden must be a multiple of " + OperationShape.HIDDEN_MULTIPLE + " from 8 to "
                            + OperationShape.MAX_HIDDEN,
                    facts(partial),
                    "Pad the rows.");
        }
        return new OperationShape(partial.shape().get(0), (int) hidden, dtype);
    }

    private @Nullable TensorEntry norm(String name, boolean needed, TensorEntry like, List<Long> shape) {
        TensorEntry tensor = tensors.get(name);
        if (tensor != null) {
            requireLike(like, tensor, shape);
        } else if (needed) {
            throw refused("the input file lacks a tensor", "tensor=" + name, EXPECTED);
        }
        return tensor;
    }

    private void requireLike(TensorEntry first, TensorEntry tensor, List<Long> shape) {
        if (!tensor.shape().equals(shape)) {
            throw refused(
                    "a tensor has another shape than rank0.partial demands",
                    facts(tensor) + " expected=" + shape + " rank0.partial=" + first.shape(),
                    EXPECTED);
        }
        if (tensor.type() != first.type()) {
            throw refused(
                    "a tensor has another type than rank0.partial",
                    facts(tensor) + " rank0.partial=" + first.type(),
                    EXPECTED);
        }
    }

    private static String facts(TensorEntry tensor) {
        return "tensor=" + tensor.displayName() + " dtype=" + tensor.type() + " shape=" + tensor.displayShape();
    }

    private TuttiException refused(String what, String facts, String advice) {
        return new TuttiException(ErrorInfo.of(ErrorCode.INPUT, what + ": file=" + path + " " + facts, advice));
    }
}
