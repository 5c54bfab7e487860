// What `surehand/app` exports: the app, for a program of your own.
export { type App, createApp } from './app.ts'
export { type Config, type ConfigSource, readConfig } from './config/read-config.ts'
