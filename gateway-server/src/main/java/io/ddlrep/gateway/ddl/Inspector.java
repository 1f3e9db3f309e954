package io.ddlrep.gateway.ddl;

import io.ddlrep.gateway.wire.Frame;
import io.ddlrep.gateway.wire.FrontendFrames;
import io.ddlrep.gateway.wire.Outstanding;
import io.ddlrep.parser.FastPath;
import io.ddlrep.parser.Statement;
import io.ddlrep.parser.Transactability;
import io.ddlrep.parser.TransactionVerb;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the messages of a client that must not go to the origin as they are: DDL, and while an operation is open the ends of
 * its transaction. Statements are judged by their texts, at Query and at Execute. Used on one event loop.
 */
public final class Inspector implements FrontendFrames.Judge {
    private final Supplier<ClientText.Reading> reading;
    private final Supplier<Byte> ready;
    private final BooleanSupplier operationOpen;
    private final NamedTexts prepared;
    private final NamedTexts portals;
    /** How portals of DDL that runs in no transaction block were bound, by portal. */
    private final Map<String, Frame> binds = new HashMap<>();

    private @Nullable ClientText held;
    private @Nullable Frame heldBind;
    private boolean implicit;
    private boolean dropping;
    private boolean ran;
    private byte piped;

    /**
     * Makes it.
     *
     * @param reading how texts are read now
     * @param ready what ReadyForQuery said last
     * @param operationOpen whether an operation is open in the client's transaction
     * @param outstanding what the server has still to answer; listened to from now on
     */
    public Inspector(
            Supplier<ClientText.Reading> reading,
            Supplier<Byte> ready,
            BooleanSupplier operationOpen,
            Outstanding outstanding) {
        this.reading = reading;
        this.ready = ready;
        this.operationOpen = operationOpen;
        this.prepared = new NamedTexts(outstanding);
        this.portals = new NamedTexts(outstanding);
        outstanding.listen((turn, position) -> {
            prepared.failed(turn, position);
            portals.failed(turn, position);
        });
    }

    /** The text of the Query or of the portal that is held. */
    public ClientText held() {
        if (held == null) {
            throw new IllegalStateException("nothing is held");
        }
        return held;
    }

    /** How the portal that is held was bound, where its statement is DDL that runs in no transaction block; else null. */
    public @Nullable Frame heldBind() {
        return heldBind;
    }

    /** The state of the client's transaction behind what it has sent so far. */
    public byte status() {
        return piped == 0 ? ready.get() : piped;
    }

    /** Whether what the client sends up to its Sync is dropped. */
    public boolean isDropping() {
        return dropping;
    }

    /** Whether what the client sends next begins a turn of its own, of which nothing was held. */
    public boolean isIdle() {
        return piped == 0 && !implicit && !dropping && !ran;
    }

    /** Whether something that was held was run since the last Sync. */
    public boolean hasRun() {
        return ran;
    }

    /**
     * A held Execute was run.
     *
     * @param now the state of the transaction
     * @param begun whether the transaction is one that was begun for the pipeline
     * @param failed what follows in the pipeline is not to be run
     */
    public void executed(byte now, boolean begun, boolean failed) {
        implicit = begun;
        piped = now;
        dropping = failed;
        ran = true;
    }

    /** What is held comes behind something that failed in its pipeline. */
    public void skip() {
        dropping = true;
    }

    /** A held Query was run, or what a held Sync ends. */
    public void ended() {
        implicit = false;
        dropping = false;
        ran = false;
        piped = 0;
    }

    @Override
    public boolean wants(byte type) {
        return switch (type) {
            case 'Q', 'P' -> true;
            case 'B', 'C' -> dropping || !prepared.isEmpty() || !portals.isEmpty();
            case 'E' -> dropping || !portals.isEmpty();
            case 'S' -> implicit || dropping || ran || piped != 0;
            case 'X' -> operationOpen.getAsBoolean();
            default -> dropping;
        };
    }

    /** DDL in it is then refused by the guard on the origin. The end of an operation must not be missed. */
    @Override
    public boolean passesUnseen() {
        return !operationOpen.getAsBoolean() && !implicit && !dropping;
    }

    @Override
    public FrontendFrames.Verdict judge(byte type, byte[] body) {
        if (type == 'X') {
            return FrontendFrames.Verdict.HOLD;
        }
        if (type == 'S') {
            return sync();
        }
        if (dropping) {
            return FrontendFrames.Verdict.DROP;
        }
        boolean hold = switch (type) {
            case 'Q' -> query(body);
            case 'P' -> parse(body);
            case 'B' -> bind(body);
            case 'C' -> close(body);
            case 'E' -> execute(body);
            default -> false;
        };
        return hold ? FrontendFrames.Verdict.HOLD : FrontendFrames.Verdict.PASS;
    }

    private FrontendFrames.Verdict sync() {
        if (implicit) {
            return FrontendFrames.Verdict.HOLD;
        }
        ended();
        return FrontendFrames.Verdict.PASS;
    }

    private boolean query(byte[] body) {
        prepared.put("", null);
        portals.put("", null);
        int end = ClientText.end(body, 0);
        if (end < 0) {
            return false;
        }
        FastPath.Verdict verdict = ClientText.look(body, 0, end);
        boolean open = operationOpen.getAsBoolean();
        boolean passes = switch (verdict) {
            case PASS -> !implicit;
            case TRANSACTION -> !open && !implicit;
            case LOOK -> false;
        };
        if (passes) {
            return false;
        }
        Optional<ClientText> text = ClientText.read(body, 0, end, reading.get());
        if (text.isEmpty() || !concerns(text.get(), open)) {
            return false;
        }
        held = text.get();
        return true;
    }

    private boolean concerns(ClientText text, boolean open) {
        return (text.hasDdl() && status() != 'E') || (open && (text.hasControl() || !text.isSingle())) || implicit;
    }

    private boolean parse(byte[] body) {
        int name = ClientText.end(body, 0);
        int end = name < 0 ? -1 : ClientText.end(body, name + 1);
        if (end < 0) {
            return false;
        }
        ClientText text = null;
        if (ClientText.look(body, name + 1, end) != FastPath.Verdict.PASS) {
            text = ClientText.read(body, name + 1, end, reading.get())
                    .filter(t -> t.isSingle() && (t.hasDdl() || t.hasControl()))
                    .orElse(null);
        }
        prepared.put(text(body, 0, name), text);
        return false;
    }

    private static String text(byte[] body, int from, int to) {
        return new String(body, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private boolean bind(byte[] body) {
        int portal = ClientText.end(body, 0);
        int statement = portal < 0 ? -1 : ClientText.end(body, portal + 1);
        if (statement >= 0) {
            String name = text(body, 0, portal);
            ClientText text = prepared.get(text(body, portal + 1, statement));
            portals.put(name, text);
            binds.remove(name);
            if (text != null
                    && text.statements().get(0) instanceof Statement.Ddl ddl
                    && ddl.transactability() == Transactability.REFUSED) {
                binds.put(name, new Frame((byte) 'B', body));
            }
        }
        return false;
    }

    private boolean close(byte[] body) {
        int end = body.length == 0 ? -1 : ClientText.end(body, 1);
        if (end >= 0) {
            (body[0] == 'S' ? prepared : portals).put(text(body, 1, end), null);
        }
        return false;
    }

    private boolean execute(byte[] body) {
        int end = ClientText.end(body, 0);
        ClientText text = end < 0 || portals.isEmpty() ? null : portals.get(text(body, 0, end));
        if (text == null) {
            return false;
        }
        boolean ddl = text.hasDdl() && status() != 'E';
        boolean control = text.hasControl() && (operationOpen.getAsBoolean() || implicit);
        if (ddl || control) {
            held = text;
            heldBind = binds.get(text(body, 0, end));
            return true;
        }
        if (text.statements().get(0) instanceof Statement.TransactionControl passing) {
            passed(passing);
        }
        return false;
    }

    /** Between two Syncs the server does not say how the transaction stands. */
    private void passed(Statement.TransactionControl control) {
        TransactionVerb verb = control.verb();
        switch (verb) {
            case BEGIN -> piped = 'T';
            case COMMIT, ROLLBACK -> piped = (byte) (control.chain() ? 'T' : 'I');
            case PREPARE_TRANSACTION -> piped = 'I';
            case ROLLBACK_TO -> piped = 'T';
            default -> {
                // Changes nothing.
            }
        }
    }
}
