export { type AgentTool, adkTools } from './adk/adk-tools.ts'
export { eventsPack } from './pack.ts'
