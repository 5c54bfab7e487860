/** As people are told sizes: "30.5". */
export function megabytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(1)
}
