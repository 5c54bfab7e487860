export { describeTool, getToolsForTenant, type ToolDescription } from './describe-tool.ts'
export { sitePack } from './pack.ts'
