import { generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { domainToASCII } from 'node:url';

/** Addresses that stand for every address of a machine. */
export const isUnspecified = (host: string): boolean => host === '0.0.0.0' || host === '::';

const DAY = 24 * 60 * 60_000;

/** ecdsa-with-SHA256 (RFC 5758, section 3.2). */
const SIGNATURE = '1.2.840.10045.4.3.2';
/** id-at-commonName (RFC 5280, appendix A.1). */
const COMMON_NAME = '2.5.4.3';

/** A self-signed certificate (RFC 5280) for this machine's own names and for `host`, valid for a year. */
export async function makeCertificate(host: string) {
  const { AsnConvert, OctetString } = await import('@peculiar/asn1-schema');
  const x509 = await import('@peculiar/asn1-x509');
  const names = [...new Set(['localhost', '127.0.0.1', '::1', isUnspecified(host) ? hostname() : host])];
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signature = new x509.AlgorithmIdentifier({ algorithm: SIGNATURE });
  const commonName = { type: COMMON_NAME, value: new x509.AttributeValue({ utf8String: 'localhost' }) };
  const name = new x509.Name([new x509.RelativeDistinguishedName([new x509.AttributeTypeAndValue(commonName)])]);
  const alternatives = names.map((one) => {
    const kind = isIP(one) === 0 ? 'dNSName' : 'iPAddress';
    return new x509.GeneralName({ [kind]: asWritten(one) });
  });
  const extension = (extnID: string, value: object, critical = false): InstanceType<typeof x509.Extension> =>
    new x509.Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
  const tbsCertificate = new x509.TBSCertificate({
    version: x509.Version.v3,
    // Positive, without a superfluous leading byte.
    serialNumber: Uint8Array.of(1, ...randomBytes(15)).buffer,
    signature,
    issuer: name,
    subject: name,
    validity: new x509.Validity({
      // A client's clock may be a little behind.
      notBefore: new Date(Date.now() - DAY),
      notAfter: new Date(Date.now() + 364 * DAY),
    }),
    subjectPublicKeyInfo: AsnConvert.parse(
      publicKey.export({ type: 'spki', format: 'der' }),
      x509.SubjectPublicKeyInfo,
    ),
    extensions: new x509.Extensions([
      extension(x509.id_ce_basicConstraints, new x509.BasicConstraints({ cA: false }), true),
      extension(x509.id_ce_keyUsage, new x509.KeyUsage(x509.KeyUsageFlags.digitalSignature), true),
      extension(x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage([x509.id_kp_serverAuth])),
      extension(x509.id_ce_subjectAltName, new x509.SubjectAlternativeName(alternatives)),
    ]),
  });
  const signatureValue = sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), privateKey);
  const certificate = new x509.Certificate({
    tbsCertificate,
    signatureAlgorithm: signature,
    signatureValue: Uint8Array.from(signatureValue).buffer,
  });
  return {
    cert: new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))).toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** A host in the form of a certificate: an ASCII name, or a numeric address without its zone. */
function asWritten(host: string): string {
  const [address = host] = host.split('%');
  if (isIP(host) === 6) return new URL(`http://[${address}]/`).hostname.slice(1, -1);
  return domainToASCII(host) || host;
}
