/** Runs before each test file: makes the current test available to running.ts. */
import { aroundEach } from 'vitest'
import { running } from './running.ts'

aroundEach((runTest, test) => running.run(test, runTest))
