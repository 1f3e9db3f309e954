package io.ddlrep.gateway.session;

import io.ddlrep.gateway.wire.FrontendFrames;

/** Where the gateway does nothing but relay. */
enum PassAll implements FrontendFrames.Judge {
    INSTANCE;

    @Override
    public boolean wants(byte type) {
        return false;
    }

    @Override
    public boolean passesUnseen() {
        return true;
    }

    @Override
    public FrontendFrames.Verdict judge(byte type, byte[] body) {
        return FrontendFrames.Verdict.PASS;
    }
}
