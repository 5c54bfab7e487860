export {
  APP_KINDS,
  type AppForm,
  type AppKind,
  packageNameFrom,
  type WrittenApp,
  writeApp,
} from './write-app.ts'
