export { nearest } from './nearest.ts'
export type { AppCommand, CliOptions, LocalAt, LocalHouse } from './options.ts'
export { runCli } from './run-cli.ts'
export { processTerminal, type Terminal } from './terminal.ts'
