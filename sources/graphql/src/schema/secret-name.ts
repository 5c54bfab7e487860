// what opens doors is not read out to a model; what turns pages is
const SECRET = /token|secret|password|passphrase|credential|private_?key|api_?key|access_?key/i
const PAGE_MARK = /page|next|previous|cursor|continuation|count|expire|type/i

/** Whether a field of this name holds something that nobody should read. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name) && !PAGE_MARK.test(name)
}
