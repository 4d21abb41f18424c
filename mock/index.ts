export { createMock, defaultTokens, type Mock, type MockOptions, type MockServer, type MockTarget } from './mock.ts';
export type { MockRequest, Mode, Wire } from './call.ts';
export { profileNames, profiles, type ProfileName } from './profiles/index.ts';
export { shapeMutants, type ShapeMutant } from './faults/shape.ts';
export { MockError } from './mock-error.ts';
