import { join } from 'node:path'

export type Machine = {
  readonly platform: NodeJS.Platform
  readonly home: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Where the clients that people have keep their list of MCP servers, by the client's name. */
export function knownClients({
  platform,
  home,
  environment,
}: Machine): ReadonlyMap<string, string> {
  const settings =
    platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : platform === 'win32'
        ? (environment.APPDATA ?? join(home, 'AppData', 'Roaming'))
        : (environment.XDG_CONFIG_HOME ?? join(home, '.config'))
  const dotConfig = environment.XDG_CONFIG_HOME ?? join(home, '.config')
  return new Map([
    ['claude-desktop', join(settings, 'Claude', 'claude_desktop_config.json')],
    ['claude-code', join(home, '.claude.json')],
    ['cursor', join(home, '.cursor', 'mcp.json')],
    ['vscode', join(settings, 'Code', 'User', 'mcp.json')],
    ['windsurf', join(home, '.codeium', 'windsurf', 'mcp_config.json')],
    [
      'zed',
      join(
        platform === 'win32' ? settings : dotConfig,
        platform === 'win32' ? 'Zed' : 'zed',
        'settings.json',
      ),
    ],
    ['codex', join(environment.CODEX_HOME ?? join(home, '.codex'), 'config.toml')],
    ['gemini', join(home, '.gemini', 'settings.json')],
    ['copilot', join(environment.COPILOT_HOME ?? join(home, '.copilot'), 'mcp-config.json')],
    ['opencode', join(dotConfig, 'opencode', 'opencode.json')],
    ['lm-studio', join(home, '.lmstudio', 'mcp.json')],
    [
      'cline',
      join(
        settings,
        ...['Code', 'User', 'globalStorage', 'saoudrizwan.claude-dev', 'settings'],
        'cline_mcp_settings.json',
      ),
    ],
  ])
}

/** The project that a file belongs to: `.vscode/mcp.json`, `.cursor/mcp.json`, `.mcp.json` … */
export function projectOf(file: string, home: string): string | undefined {
  const parts = file.split(/[\\/]/)
  const [name = '', folder = ''] = parts.toReversed()
  const isInFolder = /^\.(?:vscode|cursor|codex|gemini|zed|roo|kiro)$/.test(folder)
  if (!isInFolder && !/^(?:\.?mcp|opencode)\.jsonc?$/.test(name)) return undefined
  const project = parts.slice(0, isInFolder ? -2 : -1).join('/')
  // The same folders in the home directory are the user's own settings.
  return project === '' || project === home || project.startsWith(`${home}/.`) ? undefined : project
}
