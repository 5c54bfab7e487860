export { changeLevel, type SchemaChange, schemaDifference } from './schema-difference.ts'
export { areDisjoint } from './schema-disjoint.ts'
export { Budget, SchemaDocument, TooComplex } from './schema-document.ts'
export { inclusion } from './schema-inclusion.ts'
export {
  assertions,
  jsonText,
  mapOf,
  member,
  opaqueKeywords,
  type Source,
} from './schema-keywords.ts'
export { formatList, formatValue, holds } from './schema-reason.ts'
export { kinds } from './schema-sentences.ts'
export { verdictOf } from './schema-verdict.ts'
export {
  atomsOf,
  both,
  declaredOf,
  fieldAt,
  itemAt,
  leastOf,
  leavingOut,
  mostOf,
  requiredOf,
  unionsOf,
  type View,
  viewOf,
} from './schema-view.ts'
