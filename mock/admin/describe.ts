import { personas, type PersonaName } from '../../fixtures/index.ts';

export const personaDescriptionOf = (name: PersonaName): string => personas[name].description;
