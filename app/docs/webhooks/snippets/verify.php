<?php
// PHP 7.2 or newer with sodium, which comes with it. $publicKey is the webhook's publicKey (PEM).
function is_from_trilho(array $headers, string $body, string $publicKey): bool
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    // The last 32 bytes of the key's DER form are the key itself.
    $der = base64_decode(preg_replace('/-----[^-]+-----|\s+/', '', $publicKey));
    $key = substr($der, -SODIUM_CRYPTO_SIGN_PUBLICKEYBYTES);
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $signature) {
        if (strncmp($signature, 'v1a,', 4) !== 0) {
            continue;
        }
        $bytes = base64_decode(substr($signature, 4), true);
        if ($bytes !== false && strlen($bytes) === SODIUM_CRYPTO_SIGN_BYTES
            && sodium_crypto_sign_verify_detached($bytes, "$id.$timestamp.$body", $key)) {
            return true;
        }
    }
    return false;
}

// $headers = array_change_key_case(getallheaders());
// $body = file_get_contents('php://input');
