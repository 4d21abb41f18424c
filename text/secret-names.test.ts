import { isSecretName, withoutPasswords } from './secret-names.ts';

test.each(
  (
    'authorization cookie x-api-key x-forwarded-client-cert x-arr-clientcert client-cert x-amzn-mtls-clientcert-leaf ' +
    'x-forwarded-tls-client-cert-info ssl-client-cert x-amz-security-token x-amzn-oidc-data x-amzn-oidc-identity ' +
    'x-goog-iap-jwt-assertion x-goog-authenticated-user-email x-endpoint-api-userinfo cf-access-jwt-assertion ' +
    'x-ms-token-aad-id-token x-ms-client-principal ocp-apim-subscription-key x-functions-key x-shopify-hmac-sha256 ' +
    'x-csrf-token X-Auth-Request-User access_token id_token api_key apikey apiKey sig signature X-Amz-Signature ' +
    'AWSAccessKeyId hmac pwd user_pwd password pass passphrase otp pin sid code client_secret SAMLResponse jwt'
  ).split(' '),
)('%s holds a secret', (name) => expect(isSecretName(name)).toBe(true));

test.each(
  (
    'limit cursor timeFilter timeZone start end interval accept content-type content-encoding date host location signal ' +
    'design passenger pinned status-code idempotency-key x-mock-session www-authenticate x-request-id traceparent etag'
  ).split(' '),
)('%s holds none', (name) => expect(isSecretName(name)).toBe(false));

test.each([
  ['{"sharing":{"password":"a \\"b\\" c"},"n":1}', '{"sharing":{"password":"$PASSWORD"},"n":1}'],
  ['{ "password" : "hunter2" }', '{ "password" : "$PASSWORD" }'],
  ['{"password":1234,"a":2}', '{"password":0,"a":2}'],
  [
    String.raw`{"pass\u0077ord":"hunter2","\u0070assw\u006Frd":7}`,
    String.raw`{"pass\u0077ord":"$PASSWORD","\u0070assw\u006Frd":0}`,
  ],
  ['{"password":"","requirePassword":true}', '{"password":"","requirePassword":true}'],
  ['{"password":null}', '{"password":null}'],
  ['{"password":"cut off', '{"password":"$PASSWORD'],
  ['{"password":"cut off\\', '{"password":"$PASSWORD\\'],
])('the JSON %s becomes %s', (json, expected) => expect(withoutPasswords(json)).toBe(expected));
