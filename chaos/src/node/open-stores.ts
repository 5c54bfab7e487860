import {
  fileAnchor,
  type Maintenance,
  openPostgres,
  openSqlite,
  readAuditKey,
  type SqlStores,
} from '@surehand/sql'
import { chaosPack } from '../pack/chaos-pack.ts'
import type { NodeSetup, StoreLocation } from './messages.ts'

export function openStores(location: StoreLocation): Promise<SqlStores> {
  return location.kind === 'sqlite'
    ? openSqlite({ file: location.file, packs: [chaosPack('original')] })
    : openPostgres({ url: location.url, packs: [chaosPack('original')] })
}

export function createMaintenance({ audit }: Pick<NodeSetup, 'audit'>): Maintenance {
  return { audit: { key: readAuditKey(audit.key), anchors: [fileAnchor(audit.anchorFile)] } }
}
