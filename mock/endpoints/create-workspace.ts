import { isObject, withFields, type JsonObject } from '../../text/json.ts';
import { refuse, type EndpointLogic } from '../call.ts';
import { chosen } from '../choices/index.ts';
import { editsOf, withOwnData } from '../service/own-data.ts';
import { bodyRules, readDocumentedBody } from '../service/documented-body.ts';
import { freeName } from './new-agent.ts';

const rules = bodyRules('create-workspace-request');

export const createWorkspace: EndpointLogic = (call, store) => {
  const read = readDocumentedBody(call, rules);
  const nameByServer = chosen(call.profile, 'missing-workspace-name');
  if ('refusal' in read && !(nameByServer !== undefined && lacksOnlyItsName(read))) return read.refusal;
  const body: JsonObject = { ...(nameByServer !== undefined && { name: nameByServer }), ...read.body };
  const message = 'Another workspace has it.';
  const slug = freeName(call, store, 'slug', body['slug']);
  if (slug === 'refused') return refuse('invalid', 'The slug is already in use.', { location: 'body/slug', message });
  const name = body['name'];
  if (typeof name === 'string' && store.taken.name.has(name) && !chosen(call.profile, 'equal-workspace-names'))
    return refuse('invalid', 'The name is already in use.', { location: 'body/name', message });
  const id = store.newId('workspace');
  const at = new Date(call.now).toISOString();
  const own: JsonObject = {
    id,
    createdAt: at,
    updatedAt: at,
    lastActivityAt: at,
    plan: 'HOBBY',
    billingId: `cus_${id.slice(-12)}`,
    billingConnectId: `acct_${id.slice(-12)}`,
    billingCycleStart: new Date(call.now).getUTCDate(),
    redeemedCoupons: '',
    isSuspended: false,
    isPastDue: false,
    isVerified: false,
    chatUsage: 0,
    extras: [],
    addons: [],
  };
  const workspace = withFields({ ...body, ...withOwnData(own, 'workspace', editsOf(call.profile)) }, { slug });
  store.putWorkspace(id, workspace);
  return { kind: 'created', body: { workspace } };
};

function lacksOnlyItsName(read: Extract<ReturnType<typeof readDocumentedBody>, { refusal: unknown }>): boolean {
  const { errors } = read.refusal;
  return errors.length === 1 && errors[0]?.location === 'body/name' && isObject(read.body) && !('name' in read.body);
}
