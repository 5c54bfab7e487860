const PROGRAMS = 50

/** As many programs as a tenant may have, each of forty steps. */
export async function proposePrograms(url: string, token: string): Promise<void> {
  for (let number = 0; number < PROGRAMS; number++) {
    const steps = Array.from({ length: 40 }, (_, step) => ({
      id: `look${step}`,
      tool: 'shop.price',
      input: { productId: { $ref: 'input.productId' } },
    }))
    const properties = { productId: { type: 'string' } }
    const program = {
      ...{ id: `made.bench${number}`, title: 'Prices', description: 'Looks up prices.' },
      ...{ version: '1.0.0', category: 'custom', contract: { effect: 'read' } },
      input: { type: 'object', properties, required: ['productId'] },
      ...{ output: {}, steps, answer: { $ref: 'steps.look0' } },
    }
    const answer = await fetch(`${url}/v1/programs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ program }),
    })
    if (!answer.ok) throw new Error(`A program was answered ${answer.status}`)
  }
}
