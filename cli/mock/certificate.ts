import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { visible } from '../../conformance/report/redact.ts';
import { UsageError } from '../../conformance/usage-error.ts';
import { codeOf } from '../errors.ts';

/** What a server proves its name with; both PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** Whether nobody but itself vouches for it, so that clients have to be told. */
  readonly isSelfSigned: boolean;
}

/** Those that stand for every address of a machine. */
export const isUnspecified = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** A certificate that signs itself, for this machine's own names and for `host`; good for a year. */
export async function makeCertificate(host: string): Promise<Certificate> {
  const { generate } = await import('selfsigned');
  const names = [...new Set(['localhost', '127.0.0.1', '::1', isUnspecified(host) ? hostname() : host])];
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    // A clock that is a little behind must not refuse it.
    notBeforeDate: new Date(Date.now() - 24 * 60 * 60_000),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: names.map((name) => (isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name })),
      },
    ],
  });
  return { cert, key, isSelfSigned: true };
}

/** A certificate and its key out of two files. @throws UsageError where they are none, or do not belong together. */
export function readCertificate(certFile: string, keyFile: string): Certificate {
  const cert = readPem('--tls-cert', certFile);
  const key = readPem('--tls-key', keyFile);
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(cert);
  } catch (error) {
    throw new UsageError(
      `--tls-cert: ${visible(certFile)} holds no certificate in the PEM form (-----BEGIN CERTIFICATE-----).`,
      { cause: error },
    );
  }
  let fits: boolean;
  try {
    fits = certificate.checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    const isLocked = codeOf(error) === 'ERR_MISSING_PASSPHRASE';
    throw new UsageError(
      isLocked
        ? `--tls-key: the key in ${visible(keyFile)} has a passphrase; "openssl pkey -in FILE -out OTHER" takes it away.`
        : `--tls-key: ${visible(keyFile)} holds no private key in the PEM form (-----BEGIN PRIVATE KEY-----).`,
      { cause: error },
    );
  }
  if (!fits) throw new UsageError(`--tls-key: the key in ${visible(keyFile)} is not that of ${visible(certFile)}.`);
  return { cert, key, isSelfSigned: certificate.checkIssued(certificate) };
}

function readPem(label: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${label}: ${visible(file)} cannot be read (${codeOf(error)}).`, { cause: error });
  }
}
