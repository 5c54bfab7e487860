import type { Pack, SecretNeed, SettingNeed } from './pack.ts'

/** The contents and needs of a pack, to be reviewed before it is installed. */
export type PackManifest = {
  readonly name: string
  readonly tools: readonly string[]
  readonly ports: readonly string[]
  readonly secrets: Readonly<Record<string, SecretNeed>>
  readonly settings: Readonly<Record<string, SettingNeed>>
  readonly hosts: readonly string[]
  /** What it answers on the server, as `POST /weather/:tenant/webhook`. */
  readonly routes: readonly string[]
  readonly schedules: readonly string[]
  readonly commands: readonly string[]
  /** Pages that the console shows, as `weather/today`. */
  readonly views: readonly string[]
}

export function packManifest({
  name,
  tools,
  needs,
  routes,
  schedules,
  commands,
  views,
}: Pack): PackManifest {
  const ports = tools.flatMap((tool) => [...tool.ports.values()].map((port) => port.name))
  return {
    name,
    tools: tools.map(({ id, version }) => `${id}@${version}`),
    ports: [...new Set(ports)].sort(),
    secrets: needs.secrets ?? {},
    settings: needs.settings ?? {},
    hosts: needs.hosts ?? [],
    routes: routes.map(({ method, path }) => `${method} ${path}`),
    schedules: schedules.map((schedule) => `${schedule.name} every ${schedule.every}`),
    commands: commands.map((command) => command.name),
    views: views.map((view) => `${name}/${view.name}`),
  }
}
