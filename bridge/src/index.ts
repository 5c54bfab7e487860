export { bridgeScript, webMcpScript } from './bridge-script.ts'
export { browserScript, buildScript } from './build-script.ts'
