# Varnish 7 in front of the reader of Recto (docs/operations/edges.md). Included by a file that has the backend, such as default.vcl.
vcl 4.1;

import std;

sub vcl_recv {
  if (req.method == "BAN") {
    # Without a token in the environment of varnishd nobody drops anything.
    if (std.getenv("RECTO_EDGE_TOKEN") == "" || req.http.Authorization != "Bearer " + std.getenv("RECTO_EDGE_TOKEN")) {
      return (synth(401, "The token is not RECTO_EDGE_TOKEN"));
    }
    if (req.http.Surrogate-Key !~ "^[A-Za-z0-9:._-]+( [A-Za-z0-9:._-]+)*$") {
      return (synth(400, "Surrogate-Key names no tags"));
    }
    # Of the object alone, so that it is dropped in the background, too.
    set req.http.X-Recto-Tags = regsuball(regsuball(req.http.Surrogate-Key, "[.]", "[.]"), " ", "|");
    if (!std.ban("obj.http.Surrogate-Key ~ (^|[[:space:]])(" + req.http.X-Recto-Tags + ")([[:space:]]|$)")) {
      return (synth(500, std.ban_error()));
    }
    return (synth(200, "Dropped"));
  }

  if (req.restarts == 0) {
    unset req.http.X-Recto-Kept;
    # The reader trusts this server, so what a visitor says of the host would decide which site is kept here.
    unset req.http.X-Forwarded-Host;
    if (req.http.X-Forwarded-Proto != "https") {
      set req.http.X-Forwarded-Proto = "http";
    }
    # `stale-while-revalidate` of the reader.
    if (std.healthy(req.backend_hint)) {
      set req.grace = 60s;
    }
  } else {
    # The reader failed: `stale-if-error`, for as long as the object says.
    set req.grace = 52w;
  }

  if (req.method != "GET" && req.method != "HEAD") {
    return (pass);
  }
  # Who is known to the reader neither gets nor leaves what is kept; other cookies mean nothing to it.
  if (req.http.Authorization || req.http.Cookie ~ "(^|;\s*)(__Host-)?recto-") {
    return (pass);
  }
  # Of an address, the page is kept, and not its Markdown.
  if (req.http.Accept ~ "(?i)text/markdown") {
    return (pass);
  }
  unset req.http.Cookie;
  unset req.http.Accept;
  set req.http.X-Recto-Kept = "yes";
  return (hash);
}

sub vcl_backend_fetch {
  unset bereq.http.X-Recto-Kept;
}

sub vcl_backend_response {
  if (beresp.status >= 500) {
    # What is kept is better than a failure.
    if (bereq.is_bgfetch) {
      return (abandon);
    }
    set beresp.uncacheable = true;
    set beresp.ttl = 0s;
    set beresp.grace = 0s;
    return (deliver);
  }
  if (!bereq.uncacheable && beresp.http.Surrogate-Control ~ "max-age=[0-9]+") {
    set beresp.ttl = std.duration(regsub(beresp.http.Surrogate-Control, "^.*max-age=([0-9]+).*$", "\1s"), 0s);
    set beresp.grace = 0s;
    if (beresp.http.Surrogate-Control ~ "stale-if-error=[0-9]+") {
      set beresp.grace = std.duration(regsub(beresp.http.Surrogate-Control, "^.*stale-if-error=([0-9]+).*$", "\1s"), 0s);
    }
    return (deliver);
  }
}

sub vcl_backend_error {
  if (bereq.is_bgfetch) {
    return (abandon);
  }
}

sub vcl_deliver {
  if (resp.status >= 500 && req.restarts == 0 && req.http.X-Recto-Kept) {
    return (restart);
  }
  # What is said to edges ends at this one.
  unset resp.http.Surrogate-Control;
  unset resp.http.CDN-Cache-Control;
  unset resp.http.Surrogate-Key;
  unset resp.http.Cache-Tag;
  unset resp.http.X-Varnish;
  unset resp.http.Via;
  if (obj.hits > 0) {
    set resp.http.Cache-Status = "varnish; hit";
  } else {
    set resp.http.Cache-Status = "varnish; fwd=miss";
  }
}
