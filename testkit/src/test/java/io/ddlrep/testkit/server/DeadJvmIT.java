package io.ddlrep.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a server when its JVM ends: a child JVM starts one and is ended in several ways. */
class DeadJvmIT {

    // Short, for the Unix socket's sake; not the directory of this JVM, which would look for leftovers itself.
    @TempDir
    private Path root;

    @Test
    void a_jvm_that_ends_takes_its_server_and_its_directory_along() throws IOException, InterruptedException {
        try (Child child = Child.start(root)) {
            child.process.getOutputStream().close();
            assertThat(child.process.waitFor()).isZero();
            assertNothingIsLeft(child);
        }
    }

    @Test
    void a_jvm_that_is_terminated_takes_its_server_and_its_directory_along() throws IOException, InterruptedException {
        try (Child child = Child.start(root)) {
            child.process.destroy();
            child.process.waitFor();
            assertNothingIsLeft(child);
        }
    }

    @Test
    void the_watchdog_ends_the_server_of_a_jvm_that_was_killed() throws IOException, InterruptedException {
        try (Child child = Child.start(root)) {
            List<ProcessHandle> servers = child.descendants();
            child.process.destroyForcibly().waitFor();
            servers.forEach(ProcessTree::awaitExit);
            assertNothingListens(child);
            assertThat(child.instance).doesNotExist();
        }
    }

    @Test
    void the_next_jvm_removes_what_a_killed_jvm_and_a_killed_watchdog_left() throws IOException, InterruptedException {
        try (Child dead = Child.start(root)) {
            List<ProcessHandle> servers = dead.descendants();
            // Stopped, the watchdog cannot act on its JVM's death; killed after it, it is gone without a trace.
            List<ProcessHandle> watchdogs =
                    servers.stream().filter(DeadJvmIT::isWatchdog).toList();
            assertThat(watchdogs).hasSize(1);
            watchdogs.forEach(watchdog -> ProcessTree.signal(watchdog, "STOP"));
            dead.process.destroyForcibly().waitFor();
            watchdogs.forEach(ProcessHandle::destroyForcibly);
            watchdogs.forEach(ProcessTree::awaitExit);
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), dead.port)) {
                assertThat(socket.isConnected()).isTrue();
            }
            try (Child next = Child.start(root)) {
                assertNothingListens(dead);
                assertThat(dead.instance).doesNotExist();
                next.process.getOutputStream().close();
                next.process.waitFor();
            }
        }
    }

    private void assertNothingIsLeft(Child child) throws IOException {
        assertNothingListens(child);
        try (Stream<Path> left = Files.list(root).filter(Files::isDirectory)) {
            assertThat(left).isEmpty();
        }
    }

    private static void assertNothingListens(Child child) {
        assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), child.port).close())
                .isInstanceOf(IOException.class);
    }

    private static boolean isWatchdog(ProcessHandle handle) {
        return handle.info()
                .commandLine()
                .filter(line -> line.contains("ddlrep-watchdog"))
                .isPresent();
    }

    private record Child(Process process, int port, Path instance) implements AutoCloseable {

        static Child start(Path root) throws IOException {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(List.of("-cp", System.getProperty("java.class.path")));
            command.add("-Dddlrep.instances=" + root);
            command.add("-Dddlrep.maven.repository=" + System.getProperty("ddlrep.maven.repository", ""));
            command.add(OrphanedServer.class.getName());
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String line = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
            assertThat(line).as("port and directory of the child's server").isNotNull();
            int blank = line.indexOf(' ');
            return new Child(process, Integer.parseInt(line.substring(0, blank)), Path.of(line.substring(blank + 1)));
        }

        List<ProcessHandle> descendants() {
            return process.descendants().toList();
        }

        @Override
        public void close() {
            process.destroyForcibly();
            ProcessTree.awaitExit(process.toHandle());
        }
    }
}
