// .NET 6 or newer with the package BouncyCastle.Cryptography. publicKey is the webhook's publicKey (PEM).
using System;
using System.IO;
using System.Linq;
using System.Text;
using Org.BouncyCastle.Crypto.Parameters;
using Org.BouncyCastle.Crypto.Signers;
using Org.BouncyCastle.OpenSsl;

public static class Trilho
{
    public static bool IsFromTrilho(string id, string timestamp, string signatures, byte[] body, string publicKey)
    {
        if (!long.TryParse(timestamp, out var seconds)) return false;
        if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds) > 300) return false;

        var key = (Ed25519PublicKeyParameters)new PemReader(new StringReader(publicKey)).ReadObject();
        var signed = Encoding.UTF8.GetBytes($"{id}.{timestamp}.").Concat(body).ToArray();
        return signatures.Split(' ').Where(one => one.StartsWith("v1a,")).Any(one =>
        {
            var verifier = new Ed25519Signer();
            verifier.Init(false, key);
            verifier.BlockUpdate(signed, 0, signed.Length);
            return verifier.VerifySignature(Convert.FromBase64String(one.Substring(4)));
        });
    }
}

// ASP.NET: var h = Request.Headers; read the body as bytes before anything parses it.
// Trilho.IsFromTrilho(h["webhook-id"], h["webhook-timestamp"], h["webhook-signature"], bytes, key)
