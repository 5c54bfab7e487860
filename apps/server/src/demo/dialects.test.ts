import { modelInputSchema } from '@surehand/core/host'
import { compileSchema } from '@surehand/function-calling'
import { findSchemaProblems } from '@surehand/testing'
import { expect, test } from 'vitest'
import { vendorPack } from '../fixtures/vendor-pack.ts'
import { demoPack } from './pack.ts'

const DIALECTS = ['openai', 'openai-strict', 'anthropic', 'anthropic-strict', 'gemini'] as const
const TOOLS = [...demoPack.tools, ...vendorPack.tools]

test.each(TOOLS)(
  '$id can be said in every dialect, and its examples come back as they were',
  (tool) => {
    for (const dialect of DIALECTS) {
      const compiled = compileSchema(modelInputSchema(tool), dialect)
      expect(findSchemaProblems(compiled.schema, compiled.dialect), dialect).toEqual([])
      for (const { input } of tool.examples)
        expect(compiled.restore(compiled.express(input)), dialect).toEqual(input)
    }
  },
)
