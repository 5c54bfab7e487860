// Credentials are not shown to a model; page cursors are, although some are called tokens.
const SECRET = /token|secret|password|passphrase|credential|private_?key|api_?key|access_?key/i
const PAGE_MARK = /page|next|previous|cursor|continuation|count|expire|type/i

/** Whether a field of this name probably holds a secret. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name) && !PAGE_MARK.test(name)
}
