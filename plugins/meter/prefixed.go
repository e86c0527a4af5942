package meter

// prefixed reads the instructions behind 0xfc: saturating conversions, bulk memory and table operations.
func (c *checker) prefixed() {
	at := c.r.at
	op := c.r.u32()
	if c.r.no == nil && op > 17 {
		c.r.refuse(Unsupported, at, "an instruction behind 0xfc outside the pinned set")
	}
	if c.r.no != nil {
		return
	}
	c.charge(1)
	c.m.rearranges = c.m.rearranges || op == 9 || op >= 12 && op != 16
	switch op {
	case 0, 1, 2, 3, 4, 5, 6, 7:
		c.charge(costSlow - 1)
		c.takeOne(typeOf("ffFF"[op%4]))
		c.giveOne(typeOf("iI"[op/4]))
	case 8, 9, 10, 11:
		c.memoryBulk(op)
	case 13:
		c.charge(costDrop - 1)
		c.elementIndex()
	case 15, 16, 17:
		c.tableSize(op)
	default:
		c.tableBulk(op)
	}
}

func (c *checker) memoryBulk(op uint32) {
	if op <= 9 {
		i := c.r.index()
		if i >= c.m.segments {
			c.refuse("unknown data segment, or no data count section")
		}
		if op == 9 {
			c.charge(costDrop - 1)
			return
		}
		if c.m.inits == nil {
			c.m.inits = map[int]bool{}
		}
		c.m.inits[i] = true
	}
	c.memoryZero()
	if op == 10 {
		c.memoryZero()
	}
	if op == 11 {
		c.peek(markMemoryFill, 0, costFill)
	} else {
		c.peek(markMemoryBulk, 0, costBulk)
	}
	c.takeAll("iii")
}

// elementIndex reads an element segment's index and returns its type.
func (c *checker) elementIndex() byte {
	i := c.r.index()
	if i >= len(c.m.elements) {
		c.refuse("unknown element segment")
		return unknown
	}
	return c.m.elements[i]
}

func (c *checker) tableBulk(op uint32) {
	if op == 12 {
		of := c.elementIndex()
		if of == externref {
			c.r.refuse(Unsupported, c.begin, "table.init of references to things of the host")
		}
		c.tableIndex(of)
	} else if to := c.tableIndex(unknown); to >= 0 {
		c.tableIndex(c.m.tables[to].of)
	}
	if op == 12 {
		c.peek(markTableInit, 0, costTables)
	} else {
		c.peek(markTableCopy, 0, costTables)
	}
	c.takeAll("iii")
}

func (c *checker) tableSize(op uint32) {
	t := c.tableIndex(unknown)
	if t < 0 {
		return
	}
	switch op {
	case 15:
		c.peek(markTableGrow, t, costGrow)
		c.takeOne(i32)
		c.takeOne(c.m.tables[t].of)
		c.giveOne(i32)
	case 16:
		c.giveOne(i32)
	case 17:
		c.peek(markTableFill, 0, costTables)
		c.takeOne(i32)
		c.takeOne(c.m.tables[t].of)
		c.takeOne(i32)
	}
}
