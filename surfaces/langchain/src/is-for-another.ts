/** Whether what was said names a question, and it is not this one: an approval that is posted twice must not fall to the next question. */
export function isForAnother({ id }: Readonly<Record<string, unknown>>, asked: string): boolean {
  return id !== undefined && id !== asked
}
