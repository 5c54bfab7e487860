export { bridgeScript, browserScript, buildScript, webMcpScript } from './browser-script.ts'
