package hooks

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// IsFromTrilho takes the bytes of the body as they arrived, and the webhook's publicKey (PEM).
func IsFromTrilho(header http.Header, body []byte, publicKey string) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	block, _ := pem.Decode([]byte(publicKey))
	if block == nil {
		return false
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return false
	}
	key, ok := parsed.(ed25519.PublicKey)
	if !ok {
		return false
	}
	signed := append([]byte(id+"."+timestamp+"."), body...)
	for _, signature := range strings.Fields(header.Get("webhook-signature")) {
		value, isAsymmetric := strings.CutPrefix(signature, "v1a,")
		if bytes, err := base64.StdEncoding.DecodeString(value); isAsymmetric && err == nil && ed25519.Verify(key, signed, bytes) {
			return true
		}
	}
	return false
}
