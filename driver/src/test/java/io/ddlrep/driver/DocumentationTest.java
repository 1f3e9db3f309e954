package io.ddlrep.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;

class DocumentationTest {
    @Test
    void the_table_of_properties_is_the_enum() throws Exception {
        StringJoiner table = new StringJoiner("\n");
        table.add("| property | default | values | meaning |").add("|---|---|---|---|");
        for (DriverProperty property : DriverProperty.values()) {
            String fallback = property.defaultValue();
            table.add("| `" + property.key() + "` | " + (fallback == null ? "" : "`" + fallback + "`") + " | "
                    + String.join(", ", property.choices()) + " | " + property.description() + " |");
        }
        Path page = Path.of(System.getProperty("ddlrep.root"), "docs", "driver.md");
        assertThat(Files.readString(page)).contains(table.toString());
    }
}
