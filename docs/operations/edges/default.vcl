# /etc/varnish/default.vcl: where the reader is. recto.vcl stands beside it.
vcl 4.1;

backend default {
  .host = "127.0.0.1";
  .port = "3010";
  .connect_timeout = 2s;
  .first_byte_timeout = 30s;
}

include "/etc/varnish/recto.vcl";
