package io.tutti.gpu.model;

/** The parts of a workspace that peers push to. */
enum Region {
    HEADER,
    ONE_SHOT,
    SCATTER,
    GATHER
}
