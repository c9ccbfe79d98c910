/** Runs before each file. */
import { aroundEach } from 'vitest'
import { running } from './running.ts'

aroundEach((runTest, test) => running.run(test, runTest))
