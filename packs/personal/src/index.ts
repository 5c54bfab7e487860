export { personalPack } from './pack.ts'
export { personalMigration } from './v1/personal-migration.ts'
export { personalV1 } from './v1/personal-v1.ts'
