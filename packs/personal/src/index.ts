export { personalPack } from './pack.ts'
export { personalMigration, V1_TOOLS } from './v1/personal-migration.ts'
export { personalV1, personalV1Over } from './v1/personal-v1.ts'
