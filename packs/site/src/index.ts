export { describeTool, type ToolDescription } from './describe-tool.ts'
export { getToolsForTenant } from './get-tools-for-tenant.ts'
export { sitePack } from './pack.ts'
