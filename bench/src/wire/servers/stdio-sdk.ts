import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { mcpServer } from './mcp-tool.ts'

serveStdio(mcpServer)
