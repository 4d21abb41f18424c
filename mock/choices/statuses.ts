/** Statuses per gap; the specification shows none (sections 4.7 and 7). */
export const successStatus = {
  created: { ok: 200, created: 201 },
  ok: { ok: 200, created: 200 },
  accepted: { ok: 200, created: 202 },
};

export const unauthorizedStatus = { 'unauthorized-401': 401, 'forbidden-403': 403, 'bad-request-400': 400 };
export const forbiddenStatus = { 'forbidden-403': 403, 'not-found-404': 404, 'payment-required-402': 402 };
export const notFoundStatus = { 'not-found-404': 404, 'forbidden-403': 403, 'gone-410': 410 };
export const invalidStatus = { 'bad-request-400': 400, 'unprocessable-422': 422 };
export const wrongMethodStatus = { 'method-not-allowed-405': 405, 'not-found-404': 404 };
export const tooLargeStatus = { 'payload-too-large-413': 413, 'bad-request-400': 400 };
