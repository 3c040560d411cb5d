# Ruby 3.0 or newer; openssl comes with it. public_key is the webhook's publicKey (PEM).
require "base64"
require "openssl"

def from_trilho?(headers, body, public_key)
  id = headers["webhook-id"]
  timestamp = headers["webhook-timestamp"]
  return false if (Time.now.to_i - timestamp.to_i).abs > 300

  key = OpenSSL::PKey.read(public_key)
  signed = "#{id}.#{timestamp}.".b + body.b
  headers["webhook-signature"].to_s.split(" ").any? do |signature|
    version, value = signature.split(",", 2)
    version == "v1a" && key.verify(nil, Base64.strict_decode64(value), signed)
  rescue ArgumentError, OpenSSL::PKey::PKeyError
    false
  end
end

# Rails: from_trilho?(request.headers, request.raw_post, ENV["TRILHO_WEBHOOK_KEY"])
