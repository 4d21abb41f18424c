/** Files that hold traffic in a form that cannot be judged: how each begins, and how its owner gets one that can be. */
const refused: readonly { readonly name: string; readonly begins: RegExp; readonly instead: string }[] = [
  {
    name: 'a capture of packets (pcap)',
    begins: /^(?:\xd4\xc3\xb2\xa1|\xa1\xb2\xc3\xd4|\n\r\r\n)/,
    instead: 'record with agent-contract proxy, which sees what TLS hides from a capture',
  },
  {
    name: 'packed by zstd, bzip2 or xz',
    begins: /^(?:\x28\xb5\x2f\xfd|BZh\d|\xfd7zXZ)/,
    instead: 'unpack it first; gzip and zip are read',
  },
  {
    name: 'a session of Charles',
    begins: /^(?:.{0,40}com\.xk72|\s*\[\s*\{\s*"status":\s*"[A-Z_]+",\s*"method")/s,
    instead: 'choose File, Export Session, HTTP Archive (.har) in Charles',
  },
  {
    name: 'an export of Burp',
    begins: /<!DOCTYPE items|<items burpVersion/,
    instead: 'record with agent-contract proxy, or with an extension of Burp that writes HAR',
  },
  {
    name: 'a log of the network by Chrome (netlog)',
    begins: /^\s*\{\s*"constants":/,
    instead: 'choose Export HAR in the Network panel of the developer tools',
  },
  {
    name: 'a collection of Postman, which holds requests without their answers in time',
    begins: /schema\.getpostman\.com/,
    instead: 'send its requests through agent-contract proxy',
  },
  {
    name: 'a stream of segments by Envoy',
    begins: /"http_streamed_trace_segment"/,
    instead: 'set streaming: false in the tap of Envoy',
  },
  {
    name: 'a tap of Envoy as protobuf',
    begins: /^[^{[]{1,60}:(?:authority|method|path)/s,
    instead: 'set format: JSON_BODY_AS_BYTES in the tap of Envoy',
  },
  {
    name: 'a log of Docker',
    begins: /^\{"log":"/,
    instead: 'give the lines of the container alone: docker logs NAME > access.log',
  },
  {
    name: 'an archive of the web (WARC)',
    begins: /^WARC\/\d/,
    instead: 'record with agent-contract proxy, since it tells times only to the second',
  },
  {
    name: 'cassettes of VCR',
    begins: /^(?:---\s+)?(?:http_interactions|interactions):/,
    instead: 'record with agent-contract proxy, since they do not say when requests were sent',
  },
  {
    name: 'an access log without bodies',
    begins: /^\S+ \S+ \S+ \[[^\]]+\] "[A-Z]+ /,
    instead:
      'log JSON with bodies, as the guide on traffic shows for nginx and Kong, or record with agent-contract proxy',
  },
  { name: 'a web page', begins: /^\s*(?:<!doctype html|<html)/i, instead: 'give the recording itself' },
];

/** Why a file that begins so is no recording, and what to do instead; `undefined` for one that nobody knows. */
export function whyNot(head: Buffer): string | undefined {
  const text = head.toString('latin1');
  const found = refused.find(({ begins }) => begins.test(text));
  return found && `it is ${found.name}: ${found.instead}`;
}
