import { expect, test } from 'vitest'
import { launchEngines } from './launch-engines.ts'

test('the emulated engines run in a process of their own and answer', async () => {
  const { environment, stop } = await launchEngines()
  try {
    const response = await fetch(`${environment.OPENAI_BASE_URL}/responses`, {
      method: 'POST',
      headers: { authorization: 'Bearer emulated', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', input: 'tyres', tools: [{ type: 'web_search' }] }),
    })
    expect(await response.json()).toMatchObject({
      status: 'completed',
      output: [{ type: 'web_search_call' }, { type: 'message' }],
    })
  } finally {
    await stop()
  }
})
