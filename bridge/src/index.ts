export {
  bridgeScript,
  browserScript,
  buildScript,
  frameScript,
  webMcpScript,
} from './browser-script.ts'
