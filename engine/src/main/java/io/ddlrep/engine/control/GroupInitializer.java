package io.ddlrep.engine.control;

import io.ddlrep.engine.node.NodeException;
import io.ddlrep.engine.substrate.Substrate;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Makes a group of databases that were none before, with one publication; or takes a whole group apart. Used by one thread;
 * sessions are the members'.
 *
 * <p>All or nothing as far as several servers allow: each node commits by itself, and on a failure the control schema is
 * removed again from every node that had it. Crash rule: after a crash in the middle some nodes have a control schema;
 * {@link #uninstall} removes it, and init can be run again. Rows of replicas that were filled stay.
 */
public final class GroupInitializer {
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

    private final ControlInstaller installer;
    private final Supplier<Substrate> substrates;
    private final InitialRows rows;

    /**
     * Makes an initializer.
     *
     * @param installer installs the control schema
     * @param substrates opens the substrate of the origin once the control schema is there; closed by this class
     * @param rows makes the rows of the replicas those of the origin
     */
    public GroupInitializer(ControlInstaller installer, Supplier<Substrate> substrates, InitialRows rows) {
        this.installer = installer;
        this.substrates = substrates;
        this.rows = rows;
    }

    /**
     * What was made. Immutable.
     *
     * @param groupId the new group's id
     * @param tables qualified names of the replicated tables
     * @param notices things to know that stopped nothing
     */
    public record Made(String groupId, List<String> tables, List<String> notices) {}

    /**
     * Passwords of ddlrep's login roles, set on every node as one verifier each; empty: left as it is. Never prints them.
     *
     * @param apply of {@code ddlrep_apply}
     * @param service of {@code ddlrep_service}
     */
    public record Passwords(Optional<String> apply, Optional<String> service) {
        @Override
        public String toString() {
            return "Passwords";
        }
    }

    /** {@link #init(List, NewPublication, Passwords)} that leaves the password of {@code ddlrep_service} as it is. */
    public Made init(List<GroupMember> members, NewPublication publication, Optional<String> applyPassword) {
        return init(members, publication, new Passwords(applyPassword, Optional.empty()));
    }

    /**
     * Makes the group.
     *
     * @param members the nodes, the origin first
     * @param publication its first publication
     * @param passwords of ddlrep's login roles
     * @throws NodeException 55000 with reasons and a hint where something does not fit; 42501 without superusers
     */
    public Made init(List<GroupMember> members, NewPublication publication, Passwords passwords) {
        List<String> notices = NodeChecks.run(members, installer);
        List<Installation.Member> rows = new ArrayList<>();
        for (GroupMember member : members) {
            rows.add(new Installation.Member(member.address(), NodeIdentity.read(member.session())));
        }
        Installation installation = new Installation(
                groupId(),
                members.get(0).name(),
                rows,
                GroupKey.random(),
                new Installation.Verifiers(
                        passwords.apply().map(ScramVerifier::of),
                        passwords.service().map(ScramVerifier::of)));
        List<GroupMember> installed = new ArrayList<>();
        try {
            for (GroupMember member : members) {
                installer.install(member.session(), installation.forNode(member.name()));
                installed.add(member);
            }
            try (Substrate substrate = substrates.get()) {
                List<String> tables = new PublicationMaker(members, substrate, this.rows).create(publication);
                return new Made(installation.groupId(), tables, List.copyOf(notices));
            }
        } catch (RuntimeException e) {
            for (GroupMember member : installed) {
                try {
                    installer.uninstall(member.session());
                } catch (RuntimeException failure) {
                    e.addSuppressed(failure);
                }
            }
            throw e;
        }
    }

    /**
     * Removes ddlrep from every node; tables and rows stay. Refused on all nodes while one has something in doubt.
     *
     * @param members the nodes that can be reached
     */
    public void uninstall(List<GroupMember> members) {
        members.forEach(member -> installer.requireNothingInDoubt(member.session()));
        members.forEach(member -> installer.uninstall(member.session()));
    }

    private static String groupId() {
        SecureRandom random = new SecureRandom();
        StringBuilder id = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            id.append(LETTERS.charAt(random.nextInt(i == 0 ? 26 : LETTERS.length())));
        }
        return id.toString();
    }
}
