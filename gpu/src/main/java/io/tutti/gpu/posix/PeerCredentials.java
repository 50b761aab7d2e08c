package io.tutti.gpu.posix;

/**
 * Who is at the other end of a local socket, as the kernel recorded it when the connection was made; the peer cannot
 * choose it.
 *
 * @param pid its process, as seen from this process's namespace; 0 when it is not visible from here
 * @param uid its effective user
 * @param gid its effective group
 */
public record PeerCredentials(int pid, int uid, int gid) {

    @Override
    public String toString() {
        return "pid=" + pid + " uid=" + uid;
    }
}
