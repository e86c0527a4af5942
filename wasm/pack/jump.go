package main

// direct replaces jumps. Go writes the place into local 0 and returns to the head of a loop around the function, where
// br_table branches to the place. A branch reaches a place directly that is further on. This is shorter, and runs twice
// as fast: a compiler then sees where loops are.
func direct(list []instr) []instr {
	places := placesOf(list)
	if places == nil {
		return list
	}
	var loop *label // the loop around the function
	open := map[*label]bool{}
	// jump returns the block that ends at the place to which the instructions jump, or nil.
	jump := func(list []instr) *label {
		if !matches(list, someConst, instr{op: opLocalSet}, instr{op: opBr}) || list[2].to != loop || list[0].a < 0 {
			return nil
		}
		if to := places[min(int(list[0].a), len(places)-1)]; open[to] && !to.loop {
			return to
		}
		return nil
	}
	return replace(list, func(rest []instr) (int, []instr) {
		i := rest[0]
		switch i.op {
		case opLoop, opBlock, opIf:
			if i.op == opLoop && loop == nil {
				loop = i.to
			}
			open[i.to] = true
		case opEnd:
			open[i.to] = false
		}
		if i.op == opIf && len(rest) > 4 && rest[4].op == opEnd && rest[4].to == i.to {
			if to := jump(rest[1:]); to != nil {
				return 5, []instr{{op: opBrIf, to: to}}
			}
		}
		if to := jump(rest); to != nil {
			return 3, []instr{{op: opBr, to: to}}
		}
		return 0, nil
	})
}

// placesOf returns the branches of the br_table that reads local 0. It returns nil unless the function has just one.
func placesOf(list []instr) (places []*label) {
	for at, i := range list {
		if i.op != opBrTable {
			continue
		}
		if places != nil || at == 0 || !matches(list[at-1:], instr{op: opLocalGet}, i) {
			return nil
		}
		places = i.all
	}
	return places
}
