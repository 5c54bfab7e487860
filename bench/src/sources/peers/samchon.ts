import { HttpLlm } from '@samchon/openapi'
import type { Work } from '../work.ts'

export function samchon(): Work {
  return {
    takes: 'text',
    create(text) {
      const { functions } = HttpLlm.application({ document: JSON.parse(text) })
      return {
        tools: functions.length,
        schemaOf: ({ key }) =>
          functions.find(({ method, path }) => `${method.toUpperCase()} ${path}` === key)
            ?.parameters,
      }
    },
  }
}
