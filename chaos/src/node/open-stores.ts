import {
  fileAnchor,
  type Maintenance,
  openPostgres,
  openSqlite,
  readAuditKey,
  type SqlStores,
} from '@surehand/sql'
import { chaosPack } from '../pack/chaos-pack.ts'
import type { NodeSetup } from './messages.ts'

export function openStores({
  location,
  audit,
  poolSize,
}: Pick<NodeSetup, 'location' | 'audit' | 'poolSize'>): Promise<SqlStores> {
  const common = { packs: [chaosPack('original')], sealKey: readSealKey(audit) }
  return location.kind === 'sqlite'
    ? openSqlite({ ...common, file: location.file })
    : openPostgres({
        ...common,
        url: location.url,
        ...(poolSize === undefined ? {} : { poolSize }),
      })
}

export function readSealKey({ sealKey }: NodeSetup['audit']): Uint8Array {
  return Buffer.from(sealKey, 'hex')
}

export function createMaintenance({ audit }: Pick<NodeSetup, 'audit'>): Maintenance {
  return { audit: { key: readAuditKey(audit.key), anchors: [fileAnchor(audit.anchorFile)] } }
}
