package io.ddlrep.gateway.scram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScramTest {
    // The example of RFC 7677, section 3.
    private static final String SALT = "W22ZaJ0SNY7soEsUEjb6gQ==";
    private static final String SERVER_NONCE = "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
    private static final String CLIENT_FIRST = "n,,n=user,r=rOprNGfwEbeRWgbNEkqO";
    private static final String NONCE = "rOprNGfwEbeRWgbNEkqO" + SERVER_NONCE;
    private static final String PROOF = "dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=";

    private static Verifier verifier(String password) throws GeneralSecurityException {
        byte[] salted = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                .generateSecret(new PBEKeySpec(
                        password.toCharArray(), Base64.getDecoder().decode(SALT), 4096, 256))
                .getEncoded();
        return Verifier.parse("SCRAM-SHA-256$4096:" + SALT + "$"
                        + Attributes.encode(Hashes.sha256(Hashes.hmac(salted, "Client Key"))) + ":"
                        + Attributes.encode(Hashes.hmac(salted, "Server Key")))
                .orElseThrow();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ServerExchange begun() throws Exception {
        ServerExchange server = new ServerExchange(verifier("pencil"), Optional.empty(), SERVER_NONCE);
        server.first(ServerExchange.MECHANISM, bytes(CLIENT_FIRST));
        return server;
    }

    @Test
    void the_example_of_the_rfc() throws Exception {
        ServerExchange server = new ServerExchange(verifier("pencil"), Optional.empty(), SERVER_NONCE);
        assertThat(server.first(ServerExchange.MECHANISM, bytes(CLIENT_FIRST)))
                .isEqualTo("r=" + NONCE + ",s=" + SALT + ",i=4096");
        assertThat(server.last(bytes("c=biws,r=" + NONCE + ",p=" + PROOF)).answer())
                .isEqualTo("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
    }

    @Test
    void the_key_of_a_client_logs_in_elsewhere() throws Exception {
        ClientKey key = begun().last(bytes("c=biws,r=" + NONCE + ",p=" + PROOF)).key();
        ClientExchange client = new ClientExchange(key, Optional.empty());
        ServerExchange node = new ServerExchange(verifier("pencil"), Optional.empty());
        String serverFirst = node.first(ServerExchange.MECHANISM, bytes(client.first()));
        ServerExchange.Accepted accepted = node.last(bytes(client.last(bytes(serverFirst))));
        client.verify(bytes(accepted.answer()));
        assertThatThrownBy(() -> client.verify(bytes("v=" + Attributes.encode(new byte[32]))))
                .isInstanceOf(ScramException.class);
    }

    @Test
    void a_login_elsewhere_is_bound_to_the_certificate_of_that_node() throws Exception {
        byte[] certificate = bytes("the node's certificate");
        for (boolean same : new boolean[] {true, false}) {
            ClientKey key =
                    begun().last(bytes("c=biws,r=" + NONCE + ",p=" + PROOF)).key();
            ClientExchange client =
                    new ClientExchange(key, Optional.of(same ? certificate : bytes("somebody else's certificate")));
            ServerExchange node = new ServerExchange(verifier("pencil"), Optional.of(certificate));
            String mechanism = client.mechanism(List.of(ServerExchange.MECHANISM_PLUS, ServerExchange.MECHANISM));
            assertThat(mechanism).isEqualTo(ServerExchange.MECHANISM_PLUS);
            byte[] last = bytes(client.last(bytes(node.first(mechanism, bytes(client.first())))));
            if (same) {
                client.verify(bytes(node.last(last).answer()));
            } else {
                assertThatThrownBy(() -> node.last(last)).hasMessage("SCRAM channel binding check failed");
            }
        }
    }

    @Test
    void a_node_whose_offer_of_binding_was_hidden_refuses() throws Exception {
        ClientKey key = begun().last(bytes("c=biws,r=" + NONCE + ",p=" + PROOF)).key();
        ClientExchange client = new ClientExchange(key, Optional.of(bytes("certificate")));
        ServerExchange node = new ServerExchange(verifier("pencil"), Optional.of(bytes("certificate")));
        assertThat(client.mechanism(List.of(ServerExchange.MECHANISM))).isEqualTo(ServerExchange.MECHANISM);
        assertThatThrownBy(() -> node.first(ServerExchange.MECHANISM, bytes(client.first())))
                .hasMessage("SCRAM channel binding negotiation error");
        assertThatThrownBy(() -> client.mechanism(List.of("PLAIN"))).hasMessage("the node does not take SCRAM-SHA-256");
    }

    @Test
    void a_key_that_was_wiped_logs_in_nowhere() throws Exception {
        ClientKey key = begun().last(bytes("c=biws,r=" + NONCE + ",p=" + PROOF)).key();
        key.close();
        ClientExchange client = new ClientExchange(key, Optional.empty());
        ServerExchange node = new ServerExchange(verifier("pencil"), Optional.empty());
        String serverFirst = node.first(ServerExchange.MECHANISM, bytes(client.first()));
        assertThatThrownBy(() -> node.last(bytes(client.last(bytes(serverFirst)))))
                .isInstanceOfSatisfying(
                        ScramException.class, e -> assertThat(e.sqlState()).isEqualTo("28P01"));
    }

    @Test
    void a_node_with_another_verifier_is_told_apart_from_a_wrong_password() throws Exception {
        ClientKey key = begun().last(bytes("c=biws,r=" + NONCE + ",p=" + PROOF)).key();
        ClientExchange client = new ClientExchange(key, Optional.empty(), "abc");
        assertThatThrownBy(() -> client.last(bytes("r=abcdef,s=AAAAAAAAAAAAAAAAAAAAAA==,i=4096")))
                .isInstanceOfSatisfying(
                        ScramException.class,
                        e -> assertThat(e.getMessage()).contains("verifier is not the one of the origin"));
    }

    @Test
    void a_wrong_password_and_an_unknown_user_look_alike() throws Exception {
        ServerExchange wrong = new ServerExchange(verifier("pencil case"), Optional.empty(), SERVER_NONCE);
        wrong.first(ServerExchange.MECHANISM, bytes(CLIENT_FIRST));
        ServerExchange unknown =
                new ServerExchange(Verifier.mock(new byte[32], "nobody"), Optional.empty(), SERVER_NONCE);
        String answer = unknown.first(ServerExchange.MECHANISM, bytes(CLIENT_FIRST));
        assertThat(answer).matches("r=\\S+,s=[A-Za-z0-9+/]{22}==,i=4096");
        for (ServerExchange exchange : new ServerExchange[] {wrong, unknown}) {
            assertThatThrownBy(() -> exchange.last(bytes("c=biws,r=" + NONCE + ",p=" + PROOF)))
                    .isInstanceOfSatisfying(ScramException.class, e -> {
                        assertThat(e.sqlState()).isEqualTo("28P01");
                        assertThat(e.getMessage()).isEqualTo("password authentication failed");
                    });
        }
        assertThat(new ServerExchange(Verifier.mock(new byte[32], "nobody"), Optional.empty(), SERVER_NONCE)
                        .first(ServerExchange.MECHANISM, bytes(CLIENT_FIRST)))
                .as("the same each time")
                .isEqualTo(answer);
    }

    @Test
    void a_mock_cannot_be_passed_with_the_key_of_zeros() throws Exception {
        Verifier mock = Verifier.mock(new byte[32], "nobody");
        ServerExchange server = new ServerExchange(mock, Optional.empty(), SERVER_NONCE);
        String first = server.first(ServerExchange.MECHANISM, bytes(CLIENT_FIRST));
        String withoutProof = "c=biws,r=" + NONCE;
        byte[] signature = Hashes.hmac(new byte[32], "n=user,r=rOprNGfwEbeRWgbNEkqO," + first + "," + withoutProof);
        assertThatThrownBy(() -> server.last(bytes(withoutProof + ",p=" + Attributes.encode(signature))))
                .isInstanceOf(ScramException.class);
    }

    @Test
    void the_certificate_is_bound_to_the_login() throws Exception {
        byte[] hash = Hashes.sha256(new byte[] {1});
        byte[] other = Hashes.sha256(new byte[] {2});
        for (byte[] seen : new byte[][] {hash, other}) {
            ServerExchange server = new ServerExchange(verifier("pencil"), Optional.of(hash), SERVER_NONCE);
            server.first(ServerExchange.MECHANISM_PLUS, bytes("p=tls-server-end-point,,n=,r=abc"));
            byte[] header = bytes("p=tls-server-end-point,,");
            byte[] both = new byte[header.length + seen.length];
            System.arraycopy(header, 0, both, 0, header.length);
            System.arraycopy(seen, 0, both, header.length, seen.length);
            assertThatThrownBy(() -> server.last(
                            bytes("c=" + Attributes.encode(both) + ",r=abc" + SERVER_NONCE + ",p=" + PROOF)))
                    .isInstanceOfSatisfying(
                            ScramException.class,
                            e -> assertThat(e.sqlState()).isEqualTo(seen == hash ? "28P01" : "28000"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SCRAM-SHA-256 | n | 08P01",
                "SCRAM-SHA-256 | '' | 08P01",
                "SCRAM-SHA-256 | n, | 08P01",
                "SCRAM-SHA-256 | n,, | 08P01",
                "SCRAM-SHA-256 | x,,n=,r=abc | 08P01",
                "SCRAM-SHA-256 | n,a=other,n=,r=abc | 0A000",
                "SCRAM-SHA-256 | n,,m=ext,n=,r=abc | 0A000",
                "SCRAM-SHA-256 | n,,n= | 08P01",
                "SCRAM-SHA-256 | n,,n=,r= | 08P01",
                "SCRAM-SHA-256 | n,,n=,r=a b | 08P01",
                "SCRAM-SHA-256 | n,,r=abc | 08P01",
                "SCRAM-SHA-256 | p=tls-server-end-point,,n=,r=abc | 08P01",
                "SCRAM-SHA-256 | y,,n=,r=abc | 28000",
                "SCRAM-SHA-256-PLUS | n,,n=,r=abc | 08P01",
                "SCRAM-SHA-256-PLUS | y,,n=,r=abc | 08P01",
                "SCRAM-SHA-256-PLUS | p=tls-unique,,n=,r=abc | 08P01"
            })
    void first_messages_that_break_the_rules(String mechanism, String message, String sqlState) throws Exception {
        ServerExchange server = new ServerExchange(verifier("pencil"), Optional.of(new byte[32]));
        assertThatThrownBy(() -> server.first(mechanism, bytes(message)))
                .isInstanceOfSatisfying(
                        ScramException.class, e -> assertThat(e.sqlState()).isEqualTo(sqlState));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "c=biws",
                "c=biws,r=" + NONCE,
                "c=biws,r=other,p=" + PROOF,
                "c=eSws,r=" + NONCE + ",p=" + PROOF,
                "c=biws,r=" + NONCE + ",p=",
                "c=biws,r=" + NONCE + ",p=????",
                "c=biws,r=" + NONCE + ",p=AAAA",
                "c=biws,r=" + NONCE + ",p=" + PROOF + ",x=y",
                "c=biws,r=" + NONCE + ",p=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
            })
    void last_messages_that_break_the_rules(String message) throws Exception {
        ServerExchange server = begun();
        assertThatThrownBy(() -> server.last(bytes(message))).isInstanceOf(ScramException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "md5d41d8cd98f00b204e9800998ecf8427e",
                "SCRAM-SHA-256$0:" + SALT + "$" + PROOF + ":" + PROOF,
                "SCRAM-SHA-256$4096:" + SALT + "$" + PROOF,
                "SCRAM-SHA-256$4096:" + SALT + "$AAAA:" + PROOF,
                "SCRAM-SHA-256$4096:=$" + PROOF + ":" + PROOF,
                "SCRAM-SHA-256$9999999999:" + SALT + "$" + PROOF + ":" + PROOF
            })
    void what_is_no_verifier(String text) {
        assertThat(Verifier.parse(text)).isEmpty();
    }

    @Test
    void secrets_never_print_themselves() throws Exception {
        ServerExchange.Accepted accepted = begun().last(bytes("c=biws,r=" + NONCE + ",p=" + PROOF));
        assertThat(accepted.key().toString()).isEqualTo("ClientKey");
        assertThat(verifier("pencil").toString()).isEqualTo("Verifier");
        assertThat(accepted.toString()).endsWith("key=ClientKey]");
    }
}
