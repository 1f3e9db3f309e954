/** What monitoring asks a gateway by HTTP: metrics, whether it lives, whether it takes clients. */
@NullMarked
package io.ddlrep.gateway.http;

import org.jspecify.annotations.NullMarked;
