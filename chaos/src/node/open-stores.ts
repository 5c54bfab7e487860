import {
  fileAnchor,
  type Maintenance,
  openPostgres,
  openSqlite,
  readAuditKey,
  type SqlStores,
} from '@surehand/sql'
import { chaosPack } from '../pack/chaos-pack.ts'
import type { NodeSetup, StorePlace } from './messages.ts'

export function openStores(place: StorePlace): Promise<SqlStores> {
  return place.kind === 'sqlite'
    ? openSqlite({ file: place.file, packs: [chaosPack('steady')] })
    : openPostgres({ url: place.url, packs: [chaosPack('steady')] })
}

export function maintenanceOf({ audit }: Pick<NodeSetup, 'audit'>): Maintenance {
  return { audit: { key: readAuditKey(audit.key), anchors: [fileAnchor(audit.anchorFile)] } }
}
